#!/usr/bin/env node
/** The command line, in a process of its own. */
import { run } from './cli/run.ts'

// A reader such as head may have seen enough. The service continues without one.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code !== 'EPIPE') process.exit(1)
  if (process.argv[2] !== 'serve') process.exit(0)
})

await run(process)
