/** Writes one line of JSON to standard output. */
export const printLine = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`)
