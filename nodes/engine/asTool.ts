import type { INode } from 'n8n-workflow';

/** What only whoever keeps the workflow can look after; an agent has no hands for it. */
const FOR_A_PERSON =
	/\b(the credential|the (API )?key|provider|console|in the options|raise|n8n|proxy|base (URL|address)|private key|expression|fixed value)\b/i;
const PASS_ON = 'Tell the person who runs this workflow: ';
const BETWEEN_SENTENCES = /(?<=[.!?])\s+(?=[A-Z])/;

type Typed = Pick<INode, 'type'>;

/** Whether an agent uses this node: as a tool, or as the human review of tools. n8n names its variants so. */
export const isTool = ({ type }: Typed): boolean => type.endsWith('Tool');

/** Whether this node is the human review of an agent's tools. */
export const isReview = ({ type }: Typed): boolean => type.endsWith('HitlTool');

/** Advice in words for an agent: first what it can do itself, and then what it has to pass on to somebody who can. */
export function forAgent(advice: string): string {
	if (advice.includes(PASS_ON)) return advice;
	const sentences = advice.trim().split(BETWEEN_SENTENCES);
	const own = sentences.filter((one) => !FOR_A_PERSON.test(one));
	const others = sentences.filter((one) => FOR_A_PERSON.test(one));
	if (others.length === 0) return own.join(' ');
	return [...own, `${PASS_ON}${others.join(' ')}`].join(' ');
}
