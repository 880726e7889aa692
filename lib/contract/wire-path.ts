/** Returns a path as people write it: `names[0].given` for `['names', 0, 'given']`. */
export function wirePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (at, step) => (typeof step === 'number' ? `${at}[${step}]` : at ? `${at}.${String(step)}` : String(step)),
    '',
  )
}
