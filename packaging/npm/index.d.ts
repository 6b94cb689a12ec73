/** The file of a program. */
export function path(program: "b2c" | "mock-server"): string;
/** Runs a program with this process's arguments, streams and signals, and ends as it ends. */
export function run(program: "b2c" | "mock-server"): void;
