"use strict";

const CANCELLED = -32800;
/** The codes of answers that a newer request or text made worthless: cancelled, content modified, cancelled by the server. */
const DROPPED = new Set([CANCELLED, -32801, -32802]);
const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
/** The server ended before it answered: one of the codes that JSON-RPC leaves to programs. */
const ENDED = -32099;

/** An error answer of the other side. */
class ResponseError extends Error {
  constructor({ code, message, data }) {
    super(message);
    this.code = code;
    this.data = data;
  }

  get isDropped() {
    return DROPPED.has(this.code);
  }
}

/** JSON-RPC 2.0 in the framing of the Language Server Protocol, over two streams of bytes. */
class Connection {
  /**
   * @param {import("node:stream").Readable} input
   * @param {import("node:stream").Writable} output
   * @param {{notification: Function, request: Function, broken: Function}} handlers `notification(method, params)`;
   *   `request(method, params)` returns the result, or `undefined` for an unknown method; `broken(reason)` is called once
   *   when the input is not this protocol.
   */
  constructor(input, output, handlers) {
    this.output = output;
    this.handlers = handlers;
    this.pending = new Map();
    this.nextID = 1;
    this.isClosed = false;
    this.chunks = [];
    this.received = 0;
    /** Bytes that are needed before the next look at the input. */
    this.needed = 1;
    input.on("data", (chunk) => this.receive(chunk));
    // The end of the process reports a server that ends while it is written to, with what it said.
    output.on("error", () => {});
  }

  /** The result of a request. It fails with a {@link ResponseError}, also when `token` is cancelled or the server ends. */
  request(method, params, token) {
    if (this.isClosed) return Promise.reject(new ResponseError({ code: ENDED, message: "the language server has ended" }));
    const id = this.nextID++;
    return new Promise((resolve, reject) => {
      const subscription = token?.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
      const settle = (end) => (value) => {
        subscription?.dispose();
        end(value);
      };
      this.pending.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.send({ id, method, params });
      if (token?.isCancellationRequested) this.notify("$/cancelRequest", { id });
    });
  }

  notify(method, params) {
    this.send({ method, params });
  }

  /** Nothing is sent or received from now on; open requests fail. */
  close(reason) {
    if (this.isClosed) return;
    this.isClosed = true;
    this.chunks = [];
    for (const { reject } of this.pending.values()) reject(new ResponseError({ code: ENDED, message: reason }));
    this.pending.clear();
  }

  send(message) {
    if (this.isClosed) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.output.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, "ascii"), body]));
  }

  receive(chunk) {
    if (this.isClosed) return;
    this.chunks.push(chunk);
    this.received += chunk.length;
    if (this.received < this.needed) return;
    let bytes = Buffer.concat(this.chunks, this.received);
    this.needed = 1;
    while (!this.isClosed) {
      const end = bytes.indexOf("\r\n\r\n");
      if (end < 0) {
        if (bytes.length > 4096) return this.fail("a header without an end");
        break;
      }
      const length = /^Content-Length: *(\d{1,10}) *$/im.exec(bytes.toString("ascii", 0, end));
      if (!length) return this.fail(JSON.stringify(bytes.toString("utf8", 0, Math.min(end, 200))));
      const whole = end + 4 + Number(length[1]);
      if (bytes.length < whole) {
        this.needed = whole;
        break;
      }
      const body = bytes.toString("utf8", end + 4, whole);
      bytes = bytes.subarray(whole);
      let message;
      try {
        message = JSON.parse(body);
      } catch {
        return this.fail(JSON.stringify(body.slice(0, 200)));
      }
      this.handle(message);
    }
    this.chunks = bytes.length > 0 ? [bytes] : [];
    this.received = bytes.length;
  }

  fail(text) {
    this.close("the language server wrote something else than its protocol");
    this.handlers.broken(text);
  }

  handle(message) {
    if (message.method !== undefined) {
      if (message.id === undefined) this.handlers.notification(message.method, message.params);
      else this.answer(message);
      return;
    }
    const waiting = this.pending.get(message.id);
    this.pending.delete(message.id);
    if (message.error) waiting?.reject(new ResponseError(message.error));
    else waiting?.resolve(message.result);
  }

  async answer({ id, method, params }) {
    try {
      const result = await this.handlers.request(method, params);
      if (result === undefined) this.send({ id, error: { code: METHOD_NOT_FOUND, message: `unknown method ${method}` } });
      else this.send({ id, result });
    } catch (error) {
      this.send({ id, error: { code: INTERNAL_ERROR, message: String(error?.message ?? error) } });
    }
  }
}

module.exports = { CANCELLED, Connection, ResponseError };
