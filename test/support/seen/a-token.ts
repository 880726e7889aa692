/** A device that speaks PKCS #11: SoftHSM of OpenDNSSEC, with its own tokens in a folder of the test. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { opensslIn, runTool } from './external-checks.ts'

/** Where Debian has the library; undefined where it is not installed, or its programs are not. */
export const softHsm = ['/usr/lib/softhsm/libsofthsm2.so', '/usr/lib64/pkcs11/libsofthsm2.so'].find(
  (file) => existsSync(file) && ['softhsm2-util', 'pkcs11-tool'].every((tool) => !spawnSync(tool).error),
)

export const TOKEN_PIN = '4711-canary'

/** A key in the device, and a certificate of it that openssl made. */
export interface TokenKey {
  /** Hexadecimal. */
  id: string
  certificate: string
}

/**
 * Makes a token named `Harbor hospital` with an EC and an RSA key, and sets `SOFTHSM2_CONF`, from which SoftHSM learns its folder; the
 * caller removes that again.
 */
export function aToken(folder: string): { ec: TokenKey; rsa: TokenKey } {
  const configuration = join(folder, 'softhsm2.conf')
  mkdirSync(join(folder, 'tokens'))
  writeFileSync(configuration, `directories.tokendir = ${join(folder, 'tokens')}\nlog.level = ERROR\n`)
  process.env.SOFTHSM2_CONF = configuration
  runTool('softhsm2-util', [
    '--init-token',
    '--free',
    '--label',
    'Harbor hospital',
    '--pin',
    TOKEN_PIN,
    '--so-pin',
    '0000',
  ])
  const imported = (name: string, id: string, ...kind: string[]): TokenKey => {
    const subject = ['-subj', `/CN=${name}`, '-days', '30']
    const files = ['-keyout', `${id}.key`, '-out', `${id}.pem`]
    opensslIn(folder, 'req', '-x509', '-nodes', '-newkey', ...kind, ...subject, ...files)
    const place = ['--token', 'Harbor hospital', '--pin', TOKEN_PIN, '--label', name, '--id', id]
    runTool('softhsm2-util', ['--import', join(folder, `${id}.key`), ...place])
    return { id, certificate: opensslIn(folder, 'x509', '-in', `${id}.pem`) }
  }
  return {
    ec: imported('Seal of Harbor', '01', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'),
    rsa: imported('Older seal', 'a0b1', 'rsa:2048'),
  }
}
