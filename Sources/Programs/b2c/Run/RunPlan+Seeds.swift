import CommandKit

extension RunPlan {
    /// The seeds of a run.
    package enum Seeds {
        /// One: this number; `nil`: one that is drawn.
        case one(UInt64?)
        /// Each of them, up to the first that fails.
        case each(SeedList)
        /// So many in a row, from this number or one that is drawn. All of them run, and those that pass are counted.
        case repeated(Int, from: UInt64?)

        /// Whether everything runs more than once.
        package var areSeveral: Bool {
            if case .one = self { return false }
            return true
        }

        /// Whether nobody can expect the same bytes from the next run.
        package var isDrawn: Bool {
            switch self {
            case .one(nil), .repeated(_, nil): true
            case .one, .each, .repeated: false
            }
        }

        /// The seeds of several runs; `nil`: there is one run.
        package func list(draw: () -> UInt64) throws -> SeedList? {
            switch self {
            case .one: nil
            case .each(let list): list
            case .repeated(let count, let first): try SeedList(count, from: first ?? draw())
            }
        }

        /// What `--seed`, `--seeds` and `--repeat` or their variables say.
        init(_ manner: ExecutionOptions, variable: EnvironmentOption.Lookup) throws {
            if let count = try Self.repeats(manner, variable: variable) {
                let first = try Self.single(manner, variable: variable)
                if let first { _ = try SeedList(count, from: first) }
                self = .repeated(count, from: first)
            } else if let list = try Self.list(manner, variable: variable) {
                self = .each(list)
            } else {
                self = .one(try Self.single(manner, variable: variable))
            }
        }

        private static func single(_ manner: ExecutionOptions, variable: EnvironmentOption.Lookup) throws -> UInt64? {
            try manner.running.seed ?? EnvironmentOption.number("B2C_SEED", as: UInt64.self, variable: variable)
        }

        /// How often everything runs; `nil`: once.
        private static func repeats(_ manner: ExecutionOptions, variable: EnvironmentOption.Lookup) throws -> Int? {
            guard
                let count = try manner.repeat
                    ?? EnvironmentOption.number("B2C_REPEAT", as: Int.self, variable: variable)
            else {
                return nil
            }
            guard (1...1_000_000).contains(count) else {
                throw Failure.usage("--repeat \(count): expected a number from 1 to 1000000")
            }
            if manner.seeds != nil {
                throw Failure.usage("--repeat and --seeds both say which seeds run: use one of them")
            }
            if manner.step {
                throw Failure.usage("--repeat runs scenarios many times, and --step one by hand: use one of them")
            }
            return count
        }

        /// The seeds that are listed. What the command line says counts: `--seed` there before the variable of `--seeds`, and
        /// `--seeds` before that of `--seed`.
        private static func list(_ manner: ExecutionOptions, variable: EnvironmentOption.Lookup) throws -> SeedList? {
            let running = manner.running
            let twin = running.seed == nil ? variable("B2C_SEEDS") : nil
            let option = manner.seeds == nil ? "B2C_SEEDS" : "--seeds"
            guard let text = manner.seeds ?? twin else { return nil }
            let list = try SeedList(text, option: option)
            if running.seed != nil {
                throw Failure.usage("--seed runs one seed, and --seeds several: leave one of them out")
            }
            if manner.seeds == nil, variable("B2C_SEED") != nil {
                throw Failure.usage("B2C_SEED sets one seed, and B2C_SEEDS several: set only one of them")
            }
            if manner.step || EnvironmentOption.isOn("B2C_STEP", variable: variable) {
                throw Failure.usage(
                    "\(option) runs scenarios once for each seed, and --step one by hand: use one of them")
            }
            return list
        }
    }
}
