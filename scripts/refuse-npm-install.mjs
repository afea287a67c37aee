// pnpm owns node_modules: its workspace and catalog references cannot be read by `npm install`.
const agent = process.env.npm_config_user_agent ?? ""
if (!agent.startsWith("pnpm/")) {
  console.error("This workspace is installed by pnpm. Type `npm start` or `npm test`: both install what they need.")
  process.exit(1)
}
