/** Clients of clusters, clouds and forges. */
import type { Program } from "../Program.ts"

export const clusters: Program = {
  names: `kubectl helm terraform tofu pulumi ansible ansible-playbook aws gcloud az gh glab hub flyctl fly heroku
    vercel netlify wrangler doctl oc eksctl vault consul nomad packer sam cdk serverless firebase supabase
    railway`.split(/\s+/),
  does: "network",
  because: "acts on other machines",
  examples: {
    allowed: ["grep -n 'kubectl' notes.txt", "echo kubectl"],
    refused: ["kubectl get pods", "terraform apply", "aws s3 ls", "gh pr create", "helm uninstall x"]
  }
}
