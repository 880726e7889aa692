/** Whether someone who is trusted vouches for a certificate, at a time. Does not ask whether one was revoked. */
import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { certificatesIn } from '../pem.ts'

/** Authorities between the trusted one and the certificate at most. */
const LONGEST_CHAIN = 8

/**
 * @param carried certificates that may be between the two; no one has to trust them
 * @param authorities PEM, one or several after another; empty means those that Node.js trusts
 */
export function isVouchedFor(
  certificate: X509Certificate,
  carried: readonly X509Certificate[],
  authorities: string,
  at: Date,
): boolean {
  const trusted = certificatesIn(authorities || rootCertificates.join('\n')).map((pem) => new X509Certificate(pem))
  const between = carried.filter((one) => one.ca)
  let current = certificate
  for (let length = 0; length <= LONGEST_CHAIN; length++) {
    if (trusted.some((one) => one.raw.equals(current.raw))) return true
    const issuer = [...trusted, ...between].find((one) => isIssuedBy(current, one, at))
    if (!issuer) return false
    current = issuer
  }
  return false
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate, at: Date): boolean =>
  issuer.ca &&
  certificate.checkIssued(issuer) &&
  certificate.verify(issuer.publicKey) &&
  at.getTime() >= Date.parse(issuer.validFrom) &&
  at.getTime() <= Date.parse(issuer.validTo)
