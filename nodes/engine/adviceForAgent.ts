/**
 * Words that mark a sentence of advice as one that only the workflow's owner can follow: an agent can change neither
 * credentials nor the node's parameters.
 */
const FOR_THE_OWNER =
	/\b(the credential|the (API )?key|provider|console|in the options|raise|n8n|proxy|base (URL|address)|private key|expression|fixed value|switch to By)\b/i;
const PASS_ON_TO_OWNER = 'Tell the person who runs this workflow: ';
const BETWEEN_SENTENCES = /(?<=[.!?])\s+(?=[A-Z])/;

/** Rewrites advice for an agent: first the sentences that the agent can follow, then those to pass on to the owner. */
export function adviceForAgent(advice: string): string {
	if (advice.includes(PASS_ON_TO_OWNER)) return advice;
	const sentences = advice.trim().split(BETWEEN_SENTENCES);
	const forAgent = sentences.filter((one) => !FOR_THE_OWNER.test(one));
	const others = sentences.filter((one) => FOR_THE_OWNER.test(one));
	if (others.length === 0) return forAgent.join(' ');
	return [...forAgent, `${PASS_ON_TO_OWNER}${others.join(' ')}`].join(' ');
}
