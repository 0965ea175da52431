import { BadInput } from '../errors';
import { shown } from './shown';
import type { ToolCall } from './toolCall';

/** Stands before the name of every argument and of nothing else, so that none passes for one of our own rows. */
export const MARK = '•';

/** What a person can be expected to read before a decision. Services name no limits of their own. */
const MOST_ROWS = 30;
const MOST_IN_NAME = 100;
const MOST_IN_ROW = 2000;
const MOST_IN_ALL = 6000;

const SHORTER = 'Use fewer or shorter arguments in one call.';
const OPTION = "To show long arguments in part, change 'Long Arguments' in the options.";

/** What a person sees of a tool call: our own rows first, and then every argument. Throws where not all of it fits. */
export function rowsOf(
	{ tool, agent, arguments: given }: ToolCall,
	{ workflow, shortens }: { workflow?: string; shortens: boolean },
): Record<string, string> {
	if (given.length > MOST_ROWS) {
		const many = `The call has ${given.length} arguments, and a person is asked to read ${MOST_ROWS} at most`;
		throw new BadInput(many, SHORTER);
	}
	const share = Math.min(MOST_IN_ROW, Math.floor(MOST_IN_ALL / Math.max(1, given.length)));
	const rows = given.map(([name, value]): [string, string] => {
		const label = shown(name);
		if (lengthOf(label) > MOST_IN_NAME) throw tooLong('The name of an argument', MOST_IN_NAME);
		const text = shown(value);
		if (shortens) return [`${MARK} ${label}`, inPart(text, share)];
		if (lengthOf(text) > MOST_IN_ROW) throw tooLong(`The argument ${label}`, MOST_IN_ROW, OPTION);
		return [`${MARK} ${label}`, text];
	});
	const all = rows.reduce((sum, [, text]) => sum + lengthOf(text), 0);
	if (!shortens && all > MOST_IN_ALL)
		throw tooLong('The list of all arguments', MOST_IN_ALL, OPTION);
	return {
		Tool: shown(tool),
		...(agent !== undefined && { Agent: shown(agent) }),
		...(workflow !== undefined && { Workflow: shown(workflow) }),
		Arguments: given.length === 0 ? 'none' : `${given.length}, marked ${MARK}`,
		...Object.fromEntries(rows),
	};
}

/** By code points: an emoji is not two characters. */
const lengthOf = (text: string) => [...text].length;

const tooLong = (what: string, most: number, more = '') =>
	new BadInput(
		`${what} has more than ${most.toLocaleString('en')} characters, the most that a person is asked to read`,
		`${SHORTER} ${more}`.trim(),
	);

/** The beginning and the end of a text, and how much lies between. */
function inPart(text: string, most: number): string {
	const characters = [...text];
	const hidden = characters.length - most;
	if (hidden <= 0) return text;
	const half = Math.floor(most / 2);
	const head = characters.slice(0, half).join('');
	const tail = characters.slice(characters.length - half).join('');
	const between = characters.length - 2 * half;
	return `${head} […${between.toLocaleString('en')} characters hidden…] ${tail}`;
}
