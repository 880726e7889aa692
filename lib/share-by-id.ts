/**
 * Returns a look-up that many calls with one id share, so that their number does not fill the store's queue. A call that comes during
 * a look shares the next one, which sees a change that was committed before.
 */
export function shareById<T>(find: (id: string) => Promise<T>): (id: string) => Promise<T> {
  const underWay = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()
  const begin = (id: string) => {
    const look = find(id)
    const end = () => void underWay.delete(id)
    underWay.set(id, look)
    look.then(end, end)
    return look
  }
  return (id) => {
    const current = underWay.get(id)
    if (current === undefined) return begin(id)
    const shared = next.get(id) ?? afterwards(current, id)
    next.set(id, shared)
    return shared
  }

  async function afterwards(current: Promise<T>, id: string): Promise<T> {
    await current.catch(() => {})
    next.delete(id)
    return underWay.get(id) === undefined ? begin(id) : find(id)
  }
}
