/**
 * How an entry is written: JSON with the value under `value`, each string that begins with a colon given one more. That is how
 * Keyv writes, which version 0.1.0 wrote its journals with: both versions read, and may share, the same journal.
 */
export const toText = (value: unknown): string => JSON.stringify({ value }, (_key, part) => escaped(part))

export const fromText = <T>(text: string): T =>
  (JSON.parse(text, (_key, part) => unescaped(part)) as { value: T }).value

const escaped = (part: unknown) => (typeof part === 'string' && part.startsWith(':') ? `:${part}` : part)
const unescaped = (part: unknown) => (typeof part === 'string' && part.startsWith(':') ? part.slice(1) : part)
