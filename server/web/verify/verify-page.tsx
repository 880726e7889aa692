/** The page that says whether a PDF is as it was signed. The service reads the file and does not keep it. */
import { useState } from 'preact/hooks'
import type { Verdict } from '../../../lib/pdf/seal/verify.ts'
import { send, sentenceOf } from '../shared/api.ts'
import { FileDrop } from '../shared/file-drop.tsx'
import { Icon } from '../shared/icon.tsx'
import { Logo } from '../shared/logo.tsx'
import { VerdictPanel } from './verdict-panel.tsx'

export function VerifyPage() {
  const [verified, setVerified] = useState<{ fileName: string; verdict: Verdict } | null>(null)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const verify = async (file: File) => {
    setBusy(true)
    setVerified(null)
    setProblem('')
    try {
      const answer = await send('POST', '/verify/api/document', file, 'application/pdf')
      setVerified({ fileName: file.name, verdict: (await answer.json()) as Verdict })
    } catch (failure) {
      setProblem(sentenceOf(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <header class="top">
        <Logo />
        <a class="button quiet" href="/inbox">
          <Icon name="back" /> Inbox
        </a>
      </header>
      <main class="verify-page">
        <h1>Verify a signed document</h1>
        <p>Check that a PDF is unchanged since it was signed here. Your file is not stored.</p>
        <FileDrop accept="application/pdf,.pdf" onFile={verify}>
          {isBusy ? 'Checking…' : 'Drop a PDF here, or choose one'}
        </FileDrop>
        <div role="status" aria-live="polite">
          {problem && <p class="problem">{problem}</p>}
          {verified && <VerdictPanel {...verified} />}
        </div>
      </main>
    </>
  )
}
