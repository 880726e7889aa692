/** The verdict on a document: the answer in words first, and each signature and finding on demand. */
import type { Outcome, ShownCertificate, SignatureVerdict, Verdict } from '../../../lib/pdf/seal/verify.ts'
import { localTime } from '../shared/format.ts'
import { Icon } from '../shared/icon.tsx'
import { TermList } from '../shared/term-list.tsx'
import { t } from '../words/words.ts'

export function VerdictPanel({ fileName, verdict }: { fileName: string; verdict: Verdict }) {
  const { outcome, valid, summary, signatures, findings } = verdict
  const isTest = signatures.at(-1)?.isTest ?? false
  return (
    <section class={`verdict ${isTest && valid ? 'doubtful' : tones[outcome]}`} aria-label={t('verify.verdict')}>
      <h2>
        <Icon name={valid && !isTest ? 'shield' : 'warning'} />
        {isTest && valid ? t('verify.test') : headlines[outcome]}
      </h2>
      <p class="file-name">{fileName}</p>
      <p lang="en">{summary}</p>
      {signatures.length + findings.length > 0 && (
        <details>
          <summary>{t('verify.details')}</summary>
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

const headlines: Readonly<Record<Outcome, string>> = {
  valid: t('verify.valid'),
  changed: t('verify.notValid'),
  damaged: t('verify.notValid'),
  notSigned: t('verify.notSigned'),
  notPdf: t('verify.notPdf'),
  signedByUnknown: t('verify.unknownSigner'),
  uncheckable: t('verify.uncheckable'),
}

const states: Readonly<Record<SignatureVerdict['state'], string>> = {
  valid: t('verify.isValid'),
  invalid: t('verify.isNotValid'),
  unknown: t('verify.isUncheckable'),
}

function SignatureDetails({ signature }: { signature: SignatureVerdict }) {
  const { state, by, signer, signedAt, timestamp, isPinned, coversWholeDocument } = signature
  const { certificates, findings } = signature
  return (
    <>
      <TermList
        rows={[
          [t('verify.signature'), states[state]],
          [t('verify.signer'), signer && t('verify.signerNpi', { name: signer.name, npi: signer.npi })],
          [t('verify.by'), by ?? t('verify.unreadable')],
          [t('verify.sealedHere'), isPinned ? t('verify.yes') : t('verify.no')],
          [t('verify.signed'), signedAt ? localTime(signedAt) : t('verify.notStated')],
          [
            t('verify.timestamp'),
            timestamp
              ? t('verify.timestampBy', { time: localTime(timestamp.at), authority: timestamp.authority })
              : t('verify.none'),
          ],
          [t('verify.covers'), coversWholeDocument ? t('verify.yes') : t('verify.no')],
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
    <h3>{isFirst ? t('verify.certificate') : t('verify.issuerCertificate')}</h3>
    <TermList
      rows={[
        [t('verify.subject'), certificate.subject],
        [t('verify.issuer'), certificate.issuer],
        [t('verify.validFrom'), timeOf(certificate.validFrom)],
        [t('verify.validUntil'), timeOf(certificate.validTo)],
      ]}
    />
  </>
)

const timeOf = (iso: string | null) => (iso ? localTime(iso) : t('verify.unreadable'))

const Findings = ({ findings }: { findings: readonly string[] }) => (
  <>
    {findings.map((finding) => (
      <p key={finding} lang="en">
        {finding}
      </p>
    ))}
  </>
)
