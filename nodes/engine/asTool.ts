/** What only whoever keeps the workflow can look after; an agent has no hands for it. */
const FOR_THE_OWNER =
	/\b(the credential|the (API )?key|provider|console|in the options|raise|n8n|proxy|base (URL|address)|private key|expression|fixed value)\b/i;
const PASS_ON_TO_OWNER = 'Tell the person who runs this workflow: ';
const BETWEEN_SENTENCES = /(?<=[.!?])\s+(?=[A-Z])/;

/** Advice in words for an agent: first what it can do itself, and then what it has to pass on to somebody who can. */
export function adviceForAgent(advice: string): string {
	if (advice.includes(PASS_ON_TO_OWNER)) return advice;
	const sentences = advice.trim().split(BETWEEN_SENTENCES);
	const own = sentences.filter((one) => !FOR_THE_OWNER.test(one));
	const others = sentences.filter((one) => FOR_THE_OWNER.test(one));
	if (others.length === 0) return own.join(' ');
	return [...own, `${PASS_ON_TO_OWNER}${others.join(' ')}`].join(' ');
}
