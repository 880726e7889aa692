/** The page that says whether a PDF is as it was signed. The file goes to the service, is read there and not kept. */
import { render } from 'preact'
import { useState } from 'preact/hooks'
import type { Outcome, SignatureVerdict, Verdict } from '../../pdf/seal/verify.ts'
import { send, sentenceOf } from '../shared/api.ts'
import { localTime } from '../shared/format.ts'
import { Icon } from '../shared/icon.tsx'
import { Logo } from '../shared/logo.tsx'

interface Answer {
  fileName: string
  verdict: Verdict
}

function VerifyPage() {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [problem, setProblem] = useState('')
  const [state, setState] = useState<'ready' | 'over' | 'busy'>('ready')

  const verify = async (file: File | undefined) => {
    if (!file) return setState('ready')
    setState('busy')
    setAnswer(null)
    setProblem('')
    try {
      const response = await send('POST', '/verify/api/document', file, 'application/pdf')
      setAnswer({ fileName: file.name, verdict: (await response.json()) as Verdict })
    } catch (failure) {
      setProblem(sentenceOf(failure))
    } finally {
      setState('ready')
    }
  }
  return (
    <>
      <header class="top">
        <Logo />
      </header>
      <main class="verify-page">
        <h1>Verify a signed document</h1>
        <p>Is this PDF exactly as it was signed here? The file is checked and not kept.</p>
        <label
          class={`drop ${state}`}
          onDragOver={(event) => {
            event.preventDefault()
            setState('over')
          }}
          onDragLeave={() => setState('ready')}
          onDrop={(event) => {
            event.preventDefault()
            void verify(event.dataTransfer?.files[0])
          }}
        >
          <Icon name="file" />
          <span>{state === 'busy' ? 'Checking…' : 'Drop a PDF here, or choose one'}</span>
          <input
            type="file"
            accept="application/pdf,.pdf"
            onChange={(event) => {
              const input = event.currentTarget
              void verify(input.files?.[0]).then(() => {
                input.value = ''
              })
            }}
          />
        </label>
        <div role="status" aria-live="polite">
          {problem && <p class="problem">{problem}</p>}
          {answer && <Shown {...answer} />}
        </div>
      </main>
    </>
  )
}

function Shown({ fileName, verdict }: Answer) {
  const { outcome, valid, headline, summary, signatures, findings } = verdict
  return (
    <section class={`verdict ${colours[outcome]}`} aria-label="Verdict">
      <h2>
        <Icon name={valid ? 'shield' : 'warning'} />
        {headline}
      </h2>
      <p class="file-name">{fileName}</p>
      <p>{summary}</p>
      {signatures.length + findings.length > 0 && (
        <details>
          <summary>Details</summary>
          {signatures.map((signature, index) => (
            <SignatureRows key={index} signature={signature} />
          ))}
          {findings.map((finding) => (
            <p key={finding}>{finding}</p>
          ))}
        </details>
      )}
    </section>
  )
}

const colours: Readonly<Record<Outcome, 'valid' | 'doubtful' | 'invalid'>> = {
  valid: 'valid',
  changed: 'invalid',
  damaged: 'invalid',
  notSigned: 'invalid',
  notPdf: 'invalid',
  signedByUnknown: 'doubtful',
  uncheckable: 'doubtful',
}

function SignatureRows({ signature }: { signature: SignatureVerdict }) {
  const { state, by, signedAt, isPinned, coversWholeDocument, findings } = signature
  const rows = [
    ['Signature', { valid: 'valid', invalid: 'not valid', unknown: 'cannot be checked here' }[state]],
    ['By', by ?? 'cannot be read'],
    ['Sealed by this service', isPinned ? 'yes' : 'no'],
    ['Signed', signedAt ? localTime(signedAt) : 'not stated'],
    ['Covers the whole document', coversWholeDocument ? 'yes' : 'no'],
  ] as const
  return (
    <>
      <dl>
        {rows.map(([term, text]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {findings.map((finding) => (
        <p key={finding}>{finding}</p>
      ))}
    </>
  )
}

render(<VerifyPage />, document.getElementById('page')!)
