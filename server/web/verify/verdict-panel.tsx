/** The verdict on a document: the answer in words first, and each signature and finding on demand. */
import type { Outcome, ShownCertificate, SignatureVerdict, Verdict } from '../../../lib/pdf/seal/verify.ts'
import { localTime } from '../shared/format.ts'
import { Icon } from '../shared/icon.tsx'
import { TermList } from '../shared/term-list.tsx'

export function VerdictPanel({ fileName, verdict }: { fileName: string; verdict: Verdict }) {
  const { outcome, valid, headline, summary, signatures, findings } = verdict
  const isTest = signatures.at(-1)?.isTest ?? false
  return (
    <section class={`verdict ${isTest && valid ? 'doubtful' : tones[outcome]}`} aria-label="Verdict">
      <h2>
        <Icon name={valid && !isTest ? 'shield' : 'warning'} />
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
  const { state, by, signer, signedAt, timestamp, isPinned, coversWholeDocument } = signature
  const { certificates, findings } = signature
  return (
    <>
      <TermList
        rows={[
          ['Signature', states[state]],
          ['Signer', signer && `${signer.name}, NPI ${signer.npi}`],
          ['By', by ?? 'cannot be read'],
          ['Sealed by this service', isPinned ? 'yes' : 'no'],
          ['Signed', signedAt ? localTime(signedAt) : 'not stated'],
          ['Timestamp', timestamp ? `${localTime(timestamp.at)}, by ${timestamp.authority}` : 'none'],
          ['Covers the whole document', coversWholeDocument ? 'yes' : 'no'],
        ]}
      />
      {certificates.map((certificate, index) => (
        <CertificateDetails key={index} certificate={certificate} isFirst={index === 0} />
      ))}
      <Findings findings={findings} />
    </>
  )
}

const CertificateDetails = ({ certificate, isFirst }: { certificate: ShownCertificate; isFirst: boolean }) => (
  <>
    <h3>{isFirst ? 'Certificate of the signature' : 'Certificate of its issuer'}</h3>
    <TermList
      rows={[
        ['Subject', certificate.subject],
        ['Issuer', certificate.issuer],
        ['Valid from', timeOf(certificate.validFrom)],
        ['Valid until', timeOf(certificate.validTo)],
      ]}
    />
  </>
)

const timeOf = (iso: string | null) => (iso ? localTime(iso) : 'cannot be read')

const Findings = ({ findings }: { findings: readonly string[] }) => (
  <>
    {findings.map((finding) => (
      <p key={finding}>{finding}</p>
    ))}
  </>
)
