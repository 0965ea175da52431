/** What only whoever keeps the workflow can look after; an agent has no hands for it. */
const FOR_A_PERSON =
	/\b(the credential|the (API )?key|provider|console|in the options|raise|n8n|proxy|base (URL|address)|private key|expression|fixed value)\b/i;
const PASS_ON = 'Tell the person who runs this workflow: ';
const BETWEEN_SENTENCES = /(?<=[.!?])\s+(?=[A-Z])/;

/** Advice in words for an agent: first what it can do itself, and then what it has to pass on to somebody who can. */
export function forAgent(advice: string): string {
	if (advice.includes(PASS_ON)) return advice;
	const sentences = advice.trim().split(BETWEEN_SENTENCES);
	const own = sentences.filter((one) => !FOR_A_PERSON.test(one));
	const others = sentences.filter((one) => FOR_A_PERSON.test(one));
	if (others.length === 0) return own.join(' ');
	return [...own, `${PASS_ON}${others.join(' ')}`].join(' ');
}
