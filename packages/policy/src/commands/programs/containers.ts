/** Containers: as strong as the daemon behind them. */
import type { Program } from "../Program.ts"

export const containers: Program = {
  names: `docker podman nerdctl buildah skopeo ctr crictl lxc lxd incus docker-compose podman-compose vagrant minikube
    kind k3d colima machinectl`.split(/\s+/),
  does: "controls",
  because: "is as strong as the daemon behind it",
  examples: {
    allowed: ["grep -n 'docker' notes.txt", "echo docker"],
    refused: ["docker run alpine ls", "docker rm -f c", "docker compose down -v", "podman run -v /etc:/e x"]
  }
}
