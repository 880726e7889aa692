/** The page that says whether a PDF is as it was signed. The service reads the file and does not keep it. */
import { useState } from 'preact/hooks'
import type { Verdict } from '../../../lib/pdf/seal/verify.ts'
import { send, sentenceOf } from '../shared/api.ts'
import { FileDrop } from '../shared/file-drop.tsx'
import { Icon } from '../shared/icon.tsx'
import { Logo } from '../shared/logo.tsx'
import { useTitle } from '../shared/title.ts'
import { LanguageChoice } from '../words/language-choice.tsx'
import { t } from '../words/words.ts'
import { VerdictPanel } from './verdict-panel.tsx'

export function VerifyPage() {
  const [verified, setVerified] = useState<{ fileName: string; verdict: Verdict } | null>(null)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const heading = useTitle(t('verify.page'))
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
        <LanguageChoice />
        <a class="button quiet" href="/inbox">
          <Icon name="back" /> {t('home.inbox')}
        </a>
      </header>
      <main class="verify-page">
        <h1 ref={heading} tabIndex={-1}>
          {t('verify.title')}
        </h1>
        <p>{t('verify.text')}</p>
        <FileDrop accept="application/pdf,.pdf" onFile={verify}>
          {isBusy ? t('verify.checking') : t('verify.drop')}
        </FileDrop>
        <div role="status" aria-live="polite">
          {problem && <p class="problem">{problem}</p>}
          {verified && <VerdictPanel {...verified} />}
        </div>
      </main>
    </>
  )
}
