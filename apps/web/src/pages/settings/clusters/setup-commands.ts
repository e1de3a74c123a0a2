/** The commands that set up an agent, or the webhook. A test compares them with the guide. */

const UPGRADE = 'helm upgrade portcullis deploy/helm/portcullis -n portcullis --reuse-values';

export const SETUP_COMMANDS = {
  here: `${UPGRADE} --set agent.enabled=true --set agent.cluster=prod-eu`,
  elsewhere: 'kubectl apply -f deploy/agent/agent.yaml',
  webhook: `${UPGRADE} --set admission.enabled=true --set admission.existingSecret=portcullis-admission`,
} as const;
