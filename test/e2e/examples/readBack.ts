import { unwrap } from '../../../lab/rest';
import type { RestClient } from '../../../lab/rest';
import type { EndedExecution } from './runs';

type Json = Record<string, unknown>;

/** Reads the rows of the data table that a node of a run created or found. */
export async function readRows(
	rest: RestClient,
	run: EndedExecution,
	node: string,
): Promise<Json[]> {
	const { id, projectId } = run.json(node)[0] as { id: string; projectId: string };
	const { data } = await rest.get(`/projects/${projectId}/data-tables/${id}/rows`, {
		params: { take: 500 },
	});
	return unwrap<{ data: Json[] }>(data).data;
}

/** Downloads the file that a node returned, in its first item or another one. */
export async function downloadFile(rest: RestClient, run: EndedExecution, node: string, index = 0) {
	const { id, fileName, mimeType } = run.items(node)[index]!.binary!.data!;
	const params = { id, action: 'download', fileName, mimeType };
	const { data } = await rest.get<string>('/binary-data', { params, responseType: 'text' });
	return { fileName, mimeType, text: data };
}

/** Parses a CSV file whose first line has the column names. */
export function readCsv(text: string): Array<Record<string, string>> {
	const cells = [...text.trimEnd().matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g)];
	const rows: string[][] = [[]];
	for (const [, cell = '', separator] of cells) {
		rows.at(-1)!.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
		if (separator === '') break;
		if (separator !== ',') rows.push([]);
	}
	const [names = [], ...lines] = rows;
	return lines.map((line) => Object.fromEntries(names.map((name, index) => [name, line[index]!])));
}
