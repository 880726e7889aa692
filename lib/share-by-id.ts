/**
 * Returns a look-up that many calls with one id share, so that their number does not fill the store's queue. A call that comes during
 * a look shares the next one, which sees a change that was committed before. Of the further arguments, those of the first call count.
 */
export function shareById<T, More extends unknown[]>(
  find: (id: string, ...more: More) => Promise<T>,
): (id: string, ...more: More) => Promise<T> {
  const underWay = new Map<string, Promise<T>>()
  const next = new Map<string, Promise<T>>()
  const begin = (id: string, ...more: More) => {
    const look = find(id, ...more)
    const end = () => void underWay.delete(id)
    underWay.set(id, look)
    look.then(end, end)
    return look
  }
  return (id, ...more) => {
    const current = underWay.get(id)
    if (current === undefined) return begin(id, ...more)
    const shared = next.get(id) ?? afterwards(current, id, ...more)
    next.set(id, shared)
    return shared
  }

  async function afterwards(current: Promise<T>, id: string, ...more: More): Promise<T> {
    await current.catch(() => {})
    next.delete(id)
    return underWay.get(id) === undefined ? begin(id, ...more) : find(id, ...more)
  }
}
