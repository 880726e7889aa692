/** The options of the object storage for documents. */
import type { Command, Shell } from '../command/command.ts'
import { textIn } from '../command/mail-options.ts'

export const DOCUMENTS_SECRET_VARIABLE = 'COUNTERSIGN_DOCUMENTS_SECRET'

export interface GivenDocuments {
  documentsSecretFile?: string | undefined
  documentsCa?: string | undefined
}

export const withDocuments = (command: Command): Command =>
  command
    .option('--documents <s3://BUCKET/PREFIX>', 'object storage for documents (default: none, they are in --data)')
    .option('--documents-endpoint <URL>', 'server of the object storage, which speaks as Amazon S3 does')
    .option('--documents-region <NAME>', 'region that requests to it are signed for (default: us-east-1)')
    .option('--documents-key-id <ID>', 'access key for it')
    .option(
      '--documents-secret-file <FILE>',
      `holds the secret of the access key, instead of ${DOCUMENTS_SECRET_VARIABLE}`,
    )
    .option('--documents-ca <FILE>', 'PEM of those that vouch for it (default: those that Node.js trusts)')

/** Returns the settings that files and the environment hold. */
export const documentsIn = ({ documentsSecretFile, documentsCa }: GivenDocuments, env: Shell['env']) => ({
  documentsSecret: documentsSecretFile
    ? textIn('documents-secret-file', documentsSecretFile)
    : env[DOCUMENTS_SECRET_VARIABLE],
  documentsCa: documentsCa === undefined ? undefined : textIn('documents-ca', documentsCa),
})
