/** Names the properties of messages that are not kept, each of them once and not with every message. */
export function warnsOnce(warn: (names: string) => void): (dropped: readonly string[]) => void {
  const warned = new Set<string>()
  return (dropped) => {
    const names = dropped.filter((name) => !warned.has(name))
    for (const name of names) warned.add(name)
    if (names.length > 0) warn(names.join(', '))
  }
}
