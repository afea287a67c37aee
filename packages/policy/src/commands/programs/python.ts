/** python(1): code in a file, in an argument or in a module. */
import type { Program } from "../Program.ts"

export const python: Program = {
  names: ["python", "pypy", "ipython", "python2", "jython", "micropython"],
  does: "runs",
  because: "runs code",
  harmless: ["--version", "-V", "-VV"],
  examples: {
    allowed: ["python3 --version", "echo python"],
    refused: ["python -c 'print(1)'", "python -m pytest", "python3.12 a.py", "python -m pip install x"]
  }
}
