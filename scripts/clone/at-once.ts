/** Runs npm scripts side by side: `node scripts/clone/at-once.ts lint check`. Prints what each says when it ends; fails when one does. */
import { exec } from 'node:child_process'

await Promise.all(process.argv.slice(2).map(run))

function run(script: string): Promise<void> {
  return new Promise((resolve) => {
    exec(`npm run --silent ${script}`, (failure, stdout, stderr) => {
      process.stdout.write(stdout)
      process.stderr.write(stderr)
      if (failure) {
        process.stderr.write(`npm run ${script}: failed\n`)
        process.exitCode = 1
      }
      resolve()
    })
  })
}
