/** Lists the traffic between the sender and the service, both ways, as it happens; each exchange can be opened and copied. */
import { useState } from 'preact/hooks'
import { announce } from '../shared/announce.tsx'
import { announceFailure } from '../shared/connection.tsx'
import { parts, t } from '../words/words.ts'
import { Catchers } from './catchers.tsx'
import { SendAgain } from './replay.tsx'
import { type Exchange, look, roomCall } from './room-api.ts'
import { useLooks } from './use-looks.ts'

interface Listed {
  requests: Exchange[]
}

const kinds = {
  all: t('traffic.all'),
  request: t('traffic.requests'),
  webhook: t('traffic.webhooks'),
  fault: t('traffic.fault'),
  bad: t('traffic.bad'),
} as const
type Kind = keyof typeof kinds

const isBad = ({ status }: Exchange) => status === null || status >= 400
const fits = (exchange: Exchange, kind: Kind) =>
  kind === 'all' ||
  (kind === 'fault' ? exchange.fault !== null : kind === 'bad' ? isBad(exchange) : exchange.direction === kind)

const LONGEST = 100

export function Traffic() {
  const [listed, again] = useLooks<Listed>('requests')
  const [held, setHeld] = useState<Listed | null>(null)
  const [kind, setKind] = useState<Kind>('all')
  const [text, setText] = useState('')
  const all = (held ?? listed)?.requests ?? []
  const wanted = text.trim().toLowerCase()
  const found = all
    .filter((exchange) => fits(exchange, kind))
    .filter((exchange) => wanted === '' || JSON.stringify(exchange).toLowerCase().includes(wanted))
    .reverse()
  const clear = () =>
    roomCall('DELETE', 'requests').then(
      () => {
        setHeld(null)
        void again()
      },
      (failure) => announceFailure(failure),
    )
  const pause = async () => setHeld(held ? null : await look<Listed>('requests'))

  return (
    <section class="panel room-traffic" aria-labelledby="room-traffic">
      <h2 id="room-traffic">{t('room.traffic')}</h2>
      <div class="room-filter">
        <select
          aria-label={t('traffic.show')}
          value={kind}
          onChange={(event) => setKind((event.currentTarget as HTMLSelectElement).value as Kind)}
        >
          {Object.entries(kinds).map(([id, name]) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <input
          type="search"
          aria-label={t('traffic.search')}
          placeholder={t('traffic.what')}
          value={text}
          onInput={(event) => setText((event.currentTarget as HTMLInputElement).value)}
        />
        <button type="button" aria-pressed={held !== null} onClick={() => void pause()}>
          {held ? t('verb.continue') : t('traffic.pause')}
        </button>
        <button type="button" onClick={() => void clear()}>
          {t('traffic.clear')}
        </button>
      </div>
      <Catchers />
      {found.length === 0 ? (
        <p class="empty">{all.length === 0 ? t('traffic.none') : t('traffic.noMatch')}</p>
      ) : (
        <ol>
          {found.slice(0, LONGEST).map((exchange) => (
            <Line key={exchange.id} exchange={exchange} onReplay={again} />
          ))}
        </ol>
      )}
      {found.length > LONGEST && <p>{t('traffic.older', { count: found.length - LONGEST })}</p>}
    </section>
  )
}

const arrows = { request: '→', webhook: '←', caught: '⇐' } as const
const directions = {
  request: t('traffic.request'),
  webhook: t('traffic.webhook'),
  caught: t('traffic.caught'),
} as const

interface LineProps {
  exchange: Exchange
  /** Called when it was sent again. */
  onReplay(): Promise<void>
}

function Line({ exchange, onReplay }: LineProps) {
  const { direction, operation, taskId, externalDocId, status, durationMs, fault, isVerified, replayOf } = exchange
  const [isOpen, setOpen] = useState(false)
  const subject = taskId === null ? externalDocId : t('traffic.task', { id: String(taskId) })
  return (
    <li>
      <details
        class={isBad(exchange) ? 'bad' : ''}
        onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
      >
        <summary>
          <span class="room-line">
            <span title={directions[direction]} aria-label={directions[direction]} role="img">
              {arrows[direction]}
            </span>
            <strong>{operation}</strong>
            {subject && <bdi>{subject}</bdi>}
            <span class="room-status">{status ?? t('traffic.noAnswer')}</span>
            <span class="room-duration">{t('traffic.ms', { ms: durationMs })}</span>
            {isVerified !== null && <span>{isVerified ? t('traffic.good') : t('traffic.wrong')}</span>}
            {fault && <span class="room-fault">☠ {fault}</span>}
            {replayOf !== null && <span>{t('traffic.again')}</span>}
          </span>
        </summary>
        {isOpen && <Opened exchange={exchange} onReplay={onReplay} />}
      </details>
    </li>
  )
}

function Opened({ exchange, onReplay }: LineProps) {
  const { at, method, url, requestHeaders, requestBody, answerHeaders, answerBody } = exchange
  const copy = () =>
    navigator.clipboard.writeText(curlOf(exchange)).then(
      () => announce(t('traffic.copied')),
      () => announce(t('traffic.notCopied'), 'wrong'),
    )
  return (
    <div class="room-opened">
      <p>
        {parts('traffic.at', {
          request: (
            <bdi>
              {method} {url}
            </bdi>
          ),
          time: at,
        })}
      </p>
      <Part title={t('traffic.headers')} text={linesOf(requestHeaders)} />
      <Part title={t('traffic.body')} text={spread(requestBody)} />
      <Part title={t('traffic.answerHeaders')} text={linesOf(answerHeaders)} />
      <Part title={t('traffic.answer')} text={spread(answerBody)} />
      <div class="room-steps">
        <button type="button" class="small" onClick={() => void copy()}>
          {t('traffic.copy')}
        </button>
        <SendAgain exchange={exchange} onReplay={onReplay} />
      </div>
    </div>
  )
}

const Part = ({ title, text }: { title: string; text: string }) =>
  text === '' ? null : (
    <>
      <h3>{title}</h3>
      {/* Long lines are scrolled, so the keyboard has to reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </>
  )

const linesOf = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

function spread(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
/** Headers that curl makes itself. */
const OF_CURL = /^(host|connection|content-length|accept-encoding|user-agent)$/

function curlOf({ method, url, requestHeaders, requestBody }: Exchange): string {
  const address = url.startsWith('/') ? location.origin + url : url
  const headers = Object.entries(requestHeaders)
    .filter(([name]) => !OF_CURL.test(name))
    .map(([name, value]) => `  --header ${quoted(`${name}: ${value}`)}`)
  const body = requestBody === '' ? [] : [`  --data ${quoted(requestBody)}`]
  return [`curl --request ${method} ${quoted(address)}`, ...headers, ...body].join(' \\\n')
}
