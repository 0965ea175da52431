import type { Verdict } from '../verdict';
import type { Approval } from './approval';

/** Checks that the error of an item has a cause, and names the requests that people got. */
export function checkFailure(
	approval: Approval,
	{ text, at, isItem }: { text: string; at: number; isItem: boolean },
	verdict: Verdict,
): void {
	const { requests, attempts, levels, execution } = approval;
	const violate = (promise: string) => verdict.violate(promise, at, text);
	const asked = requests.filter((request) => request.at < at);
	const level = levels.find(({ name }) => text.includes(`Too few people of '${name}'`));
	if (level) {
		const unreached = [...level.people, ...level.deputies].filter((person) =>
			attempts.some(
				(attempt) =>
					attempt.person === person &&
					attempt.hasFailed &&
					attempt.at >= execution.startedAt &&
					attempt.at <= at,
			),
		);
		const everyone = level.people.length + level.deputies.length;
		if (everyone - unreached.length >= level.needed)
			violate('an item fails only if too few people can be asked');
	}
	const unnamed = asked.filter(({ id, isKnown }) => isKnown && !text.includes(id));
	const unclear = asked.filter(({ isKnown }) => !isKnown);
	// The error of an execution is that of one of its items.
	const isHidden = isItem
		? unnamed.length > 0 || (unclear.length > 0 && !/unclear|may have|anyway/i.test(text))
		: asked.length > 0 && /nothing was sent/i.test(text);
	if (isHidden) violate('a failure says that people were asked');
}
