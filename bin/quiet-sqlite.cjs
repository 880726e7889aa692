/**
 * Keeps Node.js 22 from printing that SQLite is experimental: the text would be among the lines of the log, which are JSON. The
 * functions that are used have not changed since 22.13. All other warnings are printed.
 */
exports.quietSqlite = () => {
  const { emitWarning } = process
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite ')) return
    emitWarning.call(process, warning, ...rest)
  }
}
