import { BadInput } from '../errors';
import { isolated, shown, visible } from './shown';
import type { ToolCall } from './toolCall';

/** Stands before the name of every argument and of nothing else, so that none passes for one of our own rows. */
export const MARK = '•';
/** Stands before the name of every field of the workflow's data that the tool can read. */
export const DATA_MARK = '◇';

/** What a person can be expected to read before a decision. Services name no limits of their own. */
const MOST_ROWS = 30;
const MOST_IN_NAME = 100;
const MOST_IN_ROW = 2000;
const MOST_IN_ALL = 6000;
/** Leaves half for the arguments. */
const MOST_OF_DATA = 3000;

const SHORTER = 'Use fewer or shorter arguments in one call.';
const OPTION = "To show long arguments in part, change 'Long Arguments' in the options.";
const FEWER_FIELDS =
	'Tell the person who runs this workflow: Put Edit Fields before the agent and keep only what it needs.';

/** What a person sees of a tool call: our own rows first, and then every argument. Throws where not all of it fits. */
export function rowsOf(
	{ tool, agent, arguments: given, workflowData }: ToolCall,
	{ workflow, shortens }: { workflow?: string; shortens: boolean },
): Record<string, string> {
	if (given.length > MOST_ROWS) throw tooMany(`${given.length} arguments`, SHORTER);
	const data = workflowData.map(dataRow);
	const dataLength = lengthOfAll(data);
	if (given.length + data.length > MOST_ROWS) {
		throw tooMany(`${given.length} arguments and ${data.length} fields of the input`, FEWER_FIELDS);
	}
	if (dataLength > MOST_OF_DATA) {
		throw tooLong("The workflow's data that the tool can read", MOST_OF_DATA, FEWER_FIELDS);
	}
	const room = MOST_IN_ALL - dataLength;
	const share = Math.min(MOST_IN_ROW, Math.floor(room / Math.max(1, given.length)));
	const rows = given.map((one) => argumentRow(one, shortens ? share : undefined));
	if (!shortens && lengthOfAll(rows) > room) {
		throw data.length === 0
			? tooLong('The list of all arguments', MOST_IN_ALL, `${SHORTER} ${OPTION}`)
			: tooLong('All that the tool would get', MOST_IN_ALL, `${SHORTER} ${OPTION} ${FEWER_FIELDS}`);
	}
	return {
		Tool: shown(tool),
		Agent: shown(agent),
		...(workflow !== undefined && { Workflow: shown(workflow) }),
		Arguments: given.length === 0 ? 'none' : `${given.length}, marked ${MARK}`,
		...(data.length > 0 && { "Workflow's data": `${data.length}, marked ${DATA_MARK}` }),
		...Object.fromEntries([...rows, ...data].map(([name, text]) => [name, isolated(text)])),
	};
}

type Row = [string, string];

/** The row of an argument, of at most so many characters where it may be shortened. */
function argumentRow([name, value]: [string, unknown], most: number | undefined): Row {
	if (lengthOf(visible(name)) > MOST_IN_NAME) {
		throw tooLong('The name of an argument', MOST_IN_NAME, SHORTER);
	}
	const text = visible(value);
	const label = shown(name);
	if (most !== undefined) return [`${MARK} ${label}`, inPart(text, most)];
	if (lengthOf(text) > MOST_IN_ROW) {
		throw tooLong(`The argument ${label}`, MOST_IN_ROW, `${SHORTER} ${OPTION}`);
	}
	return [`${MARK} ${label}`, text];
}

function dataRow([name, value]: [string, unknown]): Row {
	if (lengthOf(visible(name)) > MOST_IN_NAME) {
		throw tooLong('The name of a field of the input', MOST_IN_NAME, FEWER_FIELDS);
	}
	const text = visible(value);
	if (lengthOf(text) > MOST_IN_ROW) {
		throw tooLong(`The field ${shown(name)} of the input`, MOST_IN_ROW, FEWER_FIELDS);
	}
	return [`${DATA_MARK} ${shown(name)}`, text];
}

const lengthOfAll = (rows: Row[]) => rows.reduce((sum, [, text]) => sum + lengthOf(text), 0);

/** By code points: an emoji is not two characters. */
const lengthOf = (text: string) => [...text].length;

const tooLong = (what: string, most: number, advice: string) =>
	new BadInput(
		`${what} has more than ${most.toLocaleString('en')} characters, the most that a person is asked to read`,
		advice,
	);

const tooMany = (what: string, advice: string) =>
	new BadInput(
		`The call has ${what}, and a person is asked to read ${MOST_ROWS} rows at most`,
		advice,
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
