/** Explains the code of a call that got no answer, and says what to do about it. */

/** Whether the certificate of the other side was refused. */
export const isCertificate = (code: string): boolean => /CERT|^UNABLE_TO_/.test(code)

/** Whether the two sides could not agree on a secure connection. */
export const isTls = (code: string): boolean => isCertificate(code) || /^EPROTO$|^ERR_SSL_/.test(code)

const ADVICE: readonly [RegExp, string][] = [
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    'the certificate of the service is for another name. Correct the base URL, or give the TLS configuration the name of the server',
  ],
  [
    /_ALERT_.*(CERT|UNKNOWN_CA)/,
    'the service requires a client certificate; none was sent, or it is not trusted. Choose a TLS configuration with a certificate and a key that the operator of the service accepts',
  ],
  [/EXPIRED/, 'the certificate of the service has expired. Ask its operator for a new one'],
  [
    /CERT|^UNABLE_TO_/,
    'the certificate of the service is not trusted: it is self-signed, or signed by an authority that is not known here. Choose a TLS configuration with the certificate of that authority',
  ],
  [
    /^EPROTO$|^ERR_SSL_/,
    'no TLS is spoken at this address. Check the port, and whether the base URL begins with https',
  ],
  [
    /^ECONNREFUSED$/,
    'nothing is listening at this address and port. Check the base URL, and whether the service is running',
  ],
  [/^(ENOTFOUND|EAI_AGAIN)$/, 'the name of the host is not known. Check the base URL and the name server'],
  [/^HTTP_407$/, 'the proxy refuses the user name and password. Correct them'],
  [/^HTTP_50[234]$/, 'the service is not available at the moment. Try again later'],
  [/^HTTP_/, 'the service failed. Try again later, and tell its operator if that continues'],
  [/^ETIMEDOUT$/, 'the service did not answer in time. Check the base URL and the network, then try again'],
]

/** Returns a sentence without its full stop. */
export const adviceFor = (code: string): string =>
  ADVICE.find(([codes]) => codes.test(code))?.[1] ??
  'the connection failed. Check the base URL and the network, then try again'
