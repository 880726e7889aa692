// Does to files what its parent asks for, as the user that it runs as.
const fs = require('node:fs')

process.on('message', ({ id, name, given }) => {
  try {
    const result = fs[name](...given)
    process.send({ id, result: result === undefined ? null : String(result) })
  } catch ({ code }) {
    process.send({ id, code })
  }
})
