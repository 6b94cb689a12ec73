import CommandKit

extension RunPlan {
    /// Checks that a bundle can hold the run: it promises the same bytes again, so everything of the run must be in it.
    ///
    /// - Throws: ``Failure`` with the option that contradicts.
    package func checkBundle() throws {
        if let reason = bundleProblem { throw Failure.usage(reason) }
    }

    /// Checks what a run of several seeds needs.
    ///
    /// - Parameter isLive: Whether the target is a real tenant.
    /// - Throws: ``Failure`` with what several runs cannot have.
    package func checkSeeds(isLive: Bool) throws {
        guard seeds.areSeveral else { return }
        if partFile != nil {
            throw Failure.usage("--part keeps one run, and --seeds and --repeat make several: leave one of them out")
        }
        if isLive {
            throw Failure.usage(
                "--seeds runs scenarios again and again from the start, and a real tenant keeps what happened: leave "
                    + "--target \(target ?? "") out, or name a mock-server")
        }
    }

    /// Why a bundle cannot hold the run; `nil`: it can.
    private var bundleProblem: String? {
        if isFollowed {
            return "--bundle holds a run that repeats, and --step one that is changed by hand: use one of them"
        }
        if target != nil {
            return "--bundle holds a run in this process, since nothing else repeats byte for byte: leave --target out"
        }
        if let maxFailures, maxFailures > 1 {
            return "--bundle holds a whole run or one up to its first failure: use --bail, not --max-failures"
        }
        if case .repeated = seeds { return "--bundle holds one run, and --repeat makes several: use one of them" }
        if shard != nil || choosesLastFailed {
            return "--bundle holds whole files or named cases: name files, or use --case, not "
                + (shard == nil ? "--last-failed" : "--shard")
        }
        if allowsRealServices {
            return
                "--bundle cannot hold what real services answer: leave --allow-real-services out, and stub them by `rest`"
        }
        return nil
    }
}
