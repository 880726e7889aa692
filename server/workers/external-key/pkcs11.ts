/**
 * Signs by a device that speaks PKCS #11, through `pkcs11-tool` of OpenSC: a program of its own, because the library of a device is
 * native code, which could end this process or read its memory.
 */
import { spawn } from 'node:child_process'
import type { ExternalKeyPlace, KeySigned } from '../../domain/external-key.ts'
import type { ToBeSigned } from './key-signer.ts'

type Device = Extract<ExternalKeyPlace, { kind: 'pkcs11' }>

/** The name of the variable by which the program learns the PIN, which others would see among its arguments. */
const PIN = 'COUNTERSIGN_TOKEN_PIN'
/** Signatures of RSA keys take up to 1 kB. */
const MAX_BYTES = 4096

export function signByPkcs11(
  { module, token, id }: Device,
  pin: string,
  { bytes, digest, isEc }: ToBeSigned,
  timeoutMs: number,
): Promise<KeySigned> {
  const mechanism = isEc
    ? ['--mechanism', 'ECDSA', '--signature-format', 'sequence']
    : ['--mechanism', 'SHA256-RSA-PKCS']
  const login = ['--module', module, '--token-label', token, '--login', '--pin', `env:${PIN}`]
  return new Promise((resolve) => {
    const program = spawn('pkcs11-tool', [...login, '--sign', ...mechanism, '--id', id], {
      env: { ...environment(), [PIN]: pin },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    })
    const chunks: Buffer[] = []
    program.once('error', () => resolve({ problem: 'away' }))
    // A program that ends early takes nothing more.
    program.stdin.on('error', () => {})
    program.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    program.once('close', (code, signal) => {
      const signature = Buffer.concat(chunks)
      if (signal !== null) return resolve({ problem: 'tooSlow' })
      if (code !== 0) return resolve({ problem: 'refused' })
      resolve(signature.length > 0 && signature.length <= MAX_BYTES ? { signature } : { problem: 'unreadable' })
    })
    // ECDSA takes the digest, and RSA what it is the digest of.
    program.stdin.end(isEc ? digest : bytes)
  })
}

/** Libraries of devices read variables of their own; none of ours is their business. */
const environment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_')))
