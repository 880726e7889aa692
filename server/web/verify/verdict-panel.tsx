/** The verdict on a document: the answer in words first, and each signature and finding on demand. */
import type { Outcome, SignatureVerdict, Verdict } from '../../pdf/seal/verify.ts'
import { localTime } from '../shared/format.ts'
import { Icon } from '../shared/icon.tsx'
import { TermList } from '../shared/term-list.tsx'

export function VerdictPanel({ fileName, verdict }: { fileName: string; verdict: Verdict }) {
  const { outcome, valid, headline, summary, signatures, findings } = verdict
  return (
    <section class={`verdict ${tones[outcome]}`} aria-label="Verdict">
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
            <SignatureDetails key={index} signature={signature} />
          ))}
          <Findings findings={findings} />
        </details>
      )}
    </section>
  )
}

const tones: Readonly<Record<Outcome, 'valid' | 'doubtful' | 'invalid'>> = {
  valid: 'valid',
  changed: 'invalid',
  damaged: 'invalid',
  notSigned: 'invalid',
  notPdf: 'invalid',
  signedByUnknown: 'doubtful',
  uncheckable: 'doubtful',
}

const states: Readonly<Record<SignatureVerdict['state'], string>> = {
  valid: 'valid',
  invalid: 'not valid',
  unknown: 'cannot be checked here',
}

function SignatureDetails({ signature }: { signature: SignatureVerdict }) {
  const { state, by, signedAt, isPinned, coversWholeDocument, findings } = signature
  return (
    <>
      <TermList
        rows={[
          ['Signature', states[state]],
          ['By', by ?? 'cannot be read'],
          ['Sealed by this service', isPinned ? 'yes' : 'no'],
          ['Signed', signedAt ? localTime(signedAt) : 'not stated'],
          ['Covers the whole document', coversWholeDocument ? 'yes' : 'no'],
        ]}
      />
      <Findings findings={findings} />
    </>
  )
}

const Findings = ({ findings }: { findings: readonly string[] }) => (
  <>
    {findings.map((finding) => (
      <p key={finding}>{finding}</p>
    ))}
  </>
)
