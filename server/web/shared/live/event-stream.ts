/** A connection over which the service tells a page that something changed. It is made again whenever it breaks. */

/** A browser gives up permanently when something other than the service answers, such as a proxy while the service restarts. */
const RECONNECT_MS = 5_000

export interface EventStream {
  isOpen(): boolean
  close(): void
}

/** Calls back with the data of each event, by its name, and whenever it is connected: `open`. */
export function openEventStream(
  path: string,
  { open: onOpen, ...events }: Readonly<Record<string, (data: string) => void>>,
): EventStream {
  let source: EventSource
  let reconnect: ReturnType<typeof setTimeout> | undefined
  const connect = () => {
    source = new EventSource(path)
    source.addEventListener('open', () => onOpen?.(''))
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) reconnect = setTimeout(connect, RECONNECT_MS)
    })
    for (const [name, hear] of Object.entries(events))
      source.addEventListener(name, ({ data }: MessageEvent<string>) => hear(data))
  }
  connect()
  return {
    isOpen: () => source.readyState === EventSource.OPEN,
    close() {
      clearTimeout(reconnect)
      source.close()
    },
  }
}
