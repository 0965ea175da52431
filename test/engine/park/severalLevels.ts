import type { ApprovalService } from './parkService';
import { sendAndWait } from './parkWorld';

/** Parameters of the node that has several people decide what each item wants asked. */
export const several = (levels: object[], options: object = {}) =>
	sendAndWait({ decidedBy: 'severalPeople', levels: { level: levels }, options });

export const twoOfThree = { name: 'Finance', people: '1,2,3', needed: 'number', neededNumber: 2 };
export const manager = { name: 'Manager', people: '9', needed: 'all' };
export const withDeputy = {
	...twoOfThree,
	deputies: '7',
	deputiesAfter: 10,
	deputiesAfterUnit: 'minutes',
};

/** How many requests each user got. */
export function sentTo({ users }: ApprovalService): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { user } of users.values()) counts[user] = (counts[user] ?? 0) + 1;
	return counts;
}
