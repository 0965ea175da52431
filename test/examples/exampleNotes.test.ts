import { files, openExample, credentialTypeByNode } from './exampleFiles';

describe.each(files)('%s', (file) => {
	const { connections, working, notes, tables, isLoop } = openExample(file);

	test('explains what it does, what to click and what to change', () => {
		const [instructions, ...others] = notes.map(
			({ parameters }) => `${parameters.content as string}`,
		);
		expect(instructions).toMatch(/^## .+\n.{80,}/);
		expect(instructions).toContain('**Try it**');
		expect(instructions).toContain('**Make it yours**');
		expect(others.length).toBeGreaterThan(0);
		// Text in italics is the name of a node or of another element on the screen.
		const italics = [...instructions!.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].map(
			([, words]) => words!,
		);
		const events = working.flatMap(({ parameters }) => {
			const { cachedResultName } = (parameters.eventId ?? {}) as { cachedResultName?: string };
			return cachedResultName ?? [];
		});
		const onScreen = new Set([
			...working.map(({ name }) => name),
			...['Trigger', 'Speaker'],
			...tables,
			...events,
		]);
		expect(italics.filter((words) => !onScreen.has(words))).toEqual([]);
	});

	test('says first which account it needs, and contains none', () => {
		const [instructions] = notes.map(({ parameters }) => `${parameters.content as string}`);
		const nodesWithAccount = working.filter(({ type }) => credentialTypeByNode.has(type));
		for (const { name, type, credentials } of nodesWithAccount) {
			expect(instructions).toMatch(new RegExp(`\\n1\\. .*account.*\\*${name}\\*`));
			expect(credentials).toEqual({
				[credentialTypeByNode.get(type)!]: { id: null, name: 'Your account' },
			});
		}
		expect(/\bAPI key\b/i.test(instructions!)).toBe(nodesWithAccount.length > 0);
	});

	test('is laid out from left to right, parts of agents below them, without overlaps', () => {
		const positionOf = (name: string) => working.find((node) => node.name === name)!.position;
		for (const [source, { main = [], ...parts }] of Object.entries(connections)) {
			const followers = main
				.flat()
				.flatMap(({ node }) =>
					isLoop(node) && positionOf(node)[0] < positionOf(source)[0] ? [] : node,
				);
			expect(followers.filter((name) => positionOf(name)[0] <= positionOf(source)[0])).toEqual([]);
			const agents = Object.values(parts).flatMap((outputs) => outputs.flat());
			expect(agents.filter(({ node }) => positionOf(node)[1] >= positionOf(source)[1])).toEqual([]);
		}
		// A node with its label takes about 192 by 144.
		const nodeBoxes = working.map(({ position: [x, y], name }) => ({
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
		const bottom = Math.max(...working.map(({ position: [, y] }) => y + 144));
		const leftEdge = Math.min(...working.map(({ position: [x] }) => x));
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
