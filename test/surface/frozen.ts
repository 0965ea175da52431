import { toMatchSnapshot } from 'jest-snapshot';

/** Lines removed from and added to a snapshot. */
export interface Difference {
	gone: string[];
	added: string[];
}

/** Lines of a snapshot without its brackets. */
const linesOf = (snapshot: string): string[] =>
	snapshot
		.split('\n')
		.map((line) => line.trim().replace(/,$/, ''))
		.filter((line) => !/^[[\]]?$/.test(line));

/** Compares two snapshots. The order is irrelevant: n8n uses names. */
export function difference(before: string, now: string): Difference {
	const [old, fresh] = [new Set(linesOf(before)), new Set(linesOf(now))];
	return {
		gone: [...old].filter((line) => !fresh.has(line)),
		added: [...fresh].filter((line) => !old.has(line)),
	};
}

const list = (lines: string[]) => lines.map((line) => `  ${line}`).join('\n');

/** Returns instructions for a difference. */
export function adviceOn({ gone, added }: Difference): string {
	const isNew = `This is new in the public surface:\n${list(added)}`;
	const write = 'run "npm run surface", and add a line to CHANGELOG.md';
	if (gone.length === 0) {
		return added.length === 0
			? `The public surface is the same in another order: run "npm run surface".`
			: `${isNew}\nNothing that workflows hold is gone. If it is meant, ${write}.`;
	}
	return [
		`This is gone from the public surface, or has another name, type or default, and stored workflows hold it:\n${list(gone)}`,
		...(added.length > 0 ? [isNew] : []),
		`A stored workflow must keep working unchanged. Leave the old as it was, and give the node another version for the new: n8n's light versioning, docs/upgrading.md. Then ${write}.`,
	].join('\n');
}

/** Jest's result for a snapshot, and the two texts that it compared. */
interface Compared {
	pass: boolean;
	message: () => string;
	expected?: string;
	actual?: string;
}

expect.extend({
	toBeFrozen(lines: string[]) {
		// Jest passes its own matchers more than the types declare.
		const context = this as unknown as ThisParameterType<typeof toMatchSnapshot>;
		const compared = toMatchSnapshot.call(context, lines) as Compared;
		const { expected, actual } = compared;
		// Where there is no snapshot yet, Jest says so itself.
		if (compared.pass || expected === undefined || actual === undefined) return compared;
		return { ...compared, message: () => adviceOn(difference(expected, actual)) };
	},
});

/** Compares lines with the test's snapshot. A failure says what to do. */
export function expectFrozen(lines: string[]): void {
	(expect(lines) as unknown as { toBeFrozen: () => void }).toBeFrozen();
}
