// `npm start` shows the tour; `npm start -- ARGS` is `gatehouse ARGS`.
if (process.argv.length === 2) process.argv.push("tour")
await import("../packages/host/bin/gatehouse.js")
