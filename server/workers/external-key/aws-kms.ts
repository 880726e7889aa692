/** Signs by a key in AWS Key Management Service: `TrentService.Sign`, with an access key that may do `kms:Sign`. */
import aws4 from 'aws4'
import type { ExternalKeyPlace, KeySigned } from '../../domain/external-key.ts'
import { postOnce, type Way } from '../post-once.ts'
import type { ToBeSigned } from './key-signer.ts'
import { signatureIn } from './signature-in.ts'

const MAX_ANSWER_BYTES = 16 * 1024

export async function signByAws(
  { arn, region, endpoint }: Extract<ExternalKeyPlace, { kind: 'aws' }>,
  secret: string,
  { digest, isEc }: ToBeSigned,
  way: Way,
): Promise<KeySigned> {
  const [accessKeyId = '', secretAccessKey = ''] = secret.split(':')
  const body = JSON.stringify({
    KeyId: arn,
    Message: digest.toString('base64'),
    MessageType: 'DIGEST',
    SigningAlgorithm: isEc ? 'ECDSA_SHA_256' : 'RSASSA_PKCS1_V1_5_SHA_256',
  })
  const headers = {
    Host: endpoint.host,
    'Content-Type': 'application/x-amz-json-1.1',
    'X-Amz-Target': 'TrentService.Sign',
  }
  const request = { service: 'kms', region, method: 'POST', path: '/', headers, body }
  const signed = aws4.sign(request, { accessKeyId, secretAccessKey })
  const post = {
    url: endpoint,
    headers: signed.headers as Record<string, string>,
    body: Buffer.from(body),
    maxAnswerBytes: MAX_ANSWER_BYTES,
  }
  return signatureIn(await postOnce(post, way), 'Signature')
}
