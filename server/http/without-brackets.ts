/** Many clients write a list into a query as `x[]=1&x[]=2` or `x[0]=1&x[1]=2`, where the interface repeats `x`: all are read alike. */

/** choice: Task filters */
export function withoutBrackets(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values = new Map<string, unknown[]>()
  for (const [name, value] of Object.entries(query)) {
    const plain = name.replace(/\[\d*\]$/, '')
    values.set(plain, [...(values.get(plain) ?? []), ...[value].flat()])
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}
