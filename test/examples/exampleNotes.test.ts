// Protects users who open an example: its note says what to do and which account it needs, and no node covers another.
import { exampleFileNames, openExample, credentialTypeByNode } from './exampleFiles';

describe.each(exampleFileNames)('%s', (file) => {
	const { connections, workingNodes, notes, tableNames, isLoop } = openExample(file);

	test('explains what it does, what to click and what to change', () => {
		const [instructions, ...others] = notes.map(
			({ parameters }) => `${parameters.content as string}`,
		);
		expect(instructions).toMatch(/^## .+\n.{80,}/);
		expect(instructions).toContain('**Try it**');
		expect(instructions).toContain('**Make it yours**');
		expect(others.length).toBeGreaterThan(0);
		// Text in italics is the name of a node or of another element on the screen.
		const italicTexts = [...instructions!.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(
			([, text]) => text!,
		);
		const eventNames = workingNodes.flatMap(({ parameters }) => {
			const { cachedResultName } = (parameters.eventId ?? {}) as { cachedResultName?: string };
			return cachedResultName ?? [];
		});
		const screenTexts = new Set([
			...workingNodes.map(({ name }) => name),
			...['Trigger', 'Speaker'],
			...tableNames,
			...eventNames,
		]);
		expect(italicTexts.filter((text) => !screenTexts.has(text))).toEqual([]);
	});

	test('says first which account it needs, and contains none', () => {
		const [instructions] = notes.map(({ parameters }) => `${parameters.content as string}`);
		const nodesWithAccount = workingNodes.filter(({ type }) => credentialTypeByNode.has(type));
		for (const { name, type, credentials } of nodesWithAccount) {
			expect(instructions).toMatch(new RegExp(`\\n1\\. .*account.*\\*${name}\\*`));
			expect(credentials).toEqual({
				[credentialTypeByNode.get(type)!]: { id: null, name: 'Your account' },
			});
		}
		expect(/\bAPI key\b/i.test(instructions!)).toBe(nodesWithAccount.length > 0);
	});

	test('is laid out from left to right, parts of agents below them, without overlaps', () => {
		const findPosition = (name: string) =>
			workingNodes.find((node) => node.name === name)!.position;
		for (const [source, { main = [], ...parts }] of Object.entries(connections)) {
			const followers = main
				.flat()
				.flatMap(({ node }) =>
					isLoop(node) && findPosition(node)[0] < findPosition(source)[0] ? [] : node,
				);
			expect(followers.filter((name) => findPosition(name)[0] <= findPosition(source)[0])).toEqual(
				[],
			);
			const agents = Object.values(parts).flatMap((outputs) => outputs.flat());
			expect(agents.filter(({ node }) => findPosition(node)[1] >= findPosition(source)[1])).toEqual(
				[],
			);
		}
		// A node with its label takes about 192 by 144.
		const nodeBoxes = workingNodes.map(({ position: [x, y], name }) => ({
			name,
			box: [x - 48, y, 192, 144],
		}));
		const noteBoxes = notes.map(({ position: [x, y], parameters, name }) => ({
			name,
			box: [x, y, Number(parameters.width), Number(parameters.height)],
		}));
		expect([...findOverlaps(nodeBoxes), ...findOverlaps(noteBoxes)]).toEqual([]);
	});

	test('has its note where nothing of the editor covers it', () => {
		// n8n shows a checklist in the top left corner of what is published.
		const [note, ...frames] = notes.map(({ position: [x, y] }) => ({ x, y }));
		const bottom = Math.max(...workingNodes.map(({ position: [, y] }) => y + 144));
		const leftEdge = Math.min(...workingNodes.map(({ position: [x] }) => x));
		const top = Math.min(...frames.map(({ y }) => y));
		const isBelow = note!.y >= bottom;
		const isAbove = note!.x >= leftEdge + 350 && note!.y <= top - 500;
		expect(isBelow || isAbove).toBe(true);
	});
});

interface NamedBox {
	name: string;
	box: number[];
}

/** Pairs of boxes (x, y, width, height) that share some space. */
function findOverlaps(boxes: NamedBox[]): string[] {
	return boxes.flatMap((first, index) =>
		boxes
			.slice(index + 1)
			.filter(({ box: [x, y, width, height] }) => {
				const [ox, oy, owidth, oheight] = first.box as [number, number, number, number];
				return x! < ox + owidth && ox < x! + width! && y! < oy + oheight && oy < y! + height!;
			})
			.map((second) => `${first.name} and ${second.name}`),
	);
}
