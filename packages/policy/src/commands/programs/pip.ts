/** pip(1) and its like: packages with install scripts. */
import type { Program } from "../Program.ts"

export const pip: Program = {
  names: ["pip", "pip3", "pipx", "uv", "uvx", "poetry", "pdm", "hatch", "conda", "mamba", "virtualenv", "rye"],
  does: "controls",
  because: "installs packages",
  examples: {
    allowed: ["grep -n 'pip' notes.txt", "echo pip"],
    refused: ["pip install x", "pip3 install -r requirements.txt", "uv pip install x", "uvx ruff"]
  }
}
