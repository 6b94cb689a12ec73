import Diagnostics
import JSON
import Verbs

extension PublicClient {
    /// What `inspect` of the cache shows: `accounts`, `accessTokens`, `refreshTokens`, `idTokens`, `appMetadata`,
    /// `accountMetadata` and `unified`, of the whole keychain group. Tokens are in it as they are.
    public func cacheContents() -> ClientOutcome {
        var events = EventLog()
        unlockCache(&events)
        do throws(LibraryError) {
            let items = try cache.items(&events)
            return ClientOutcome(
                .success(Inspect.CacheContents(lists: UnifiedCache(configuration: configuration).inspection(items))),
                events: events.records)
        } catch {
            return ClientOutcome(
                .failure(ErrorConverter.convert(error, correlationID: nil)), events: events.records)
        }
    }

    /// Adds a cache document to the keychain group: MSAL Python's JSON, or lists as ``cacheContents()`` gives them.
    ///
    /// - Parameter replacing: Empties the group first.
    /// - Throws: Every finding about the document; nothing is changed then.
    public func importCache(_ document: JSONValue, replacing: Bool) throws(InvalidInput) -> ClientOutcome {
        let items = try UnifiedCache(configuration: configuration).read(document)
        var events = EventLog()
        unlockCache(&events)
        do throws(LibraryError) {
            try cache.add(items, replacing: replacing, &events)
            return ClientOutcome(.success(NoResult()), events: events.records)
        } catch {
            return ClientOutcome(
                .failure(ErrorConverter.convert(error, correlationID: nil)), events: events.records)
        }
    }

    /// Empties the keychain group: what `restart` does with `wipe: ["cache"]`.
    public func wipeCache() {
        var events = EventLog()
        try? cache.wipe(&events)
    }
}
