// Protects stored workflows that move to another package: the types of their nodes change, and no other text does.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PROGRAM = join(__dirname, '../../bin/gatehouse.mjs');
const PACK = 'n8n-nodes-gatehouse';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'gatehouse-move-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file into the temporary folder and returns its path. */
function writeFile(name: string, text: string): string {
	writeFileSync(join(folder, name), text);
	return join(folder, name);
}
const readText = (name: string) => readFileSync(join(folder, name), 'utf8');
const runMove = (...args: string[]) =>
	execFileSync(process.execPath, [PROGRAM, 'move', ...args], { encoding: 'utf8' });

/** Returns a workflow as n8n exports it. The script must change the types of nodes and no other text. */
const makeWorkflow = (prefix: string) => `{
  "name": "n8n-nodes-gatehouse.twoFactor in a name",
  "nodes": [
    { "type": "${prefix}.twoFactor", "parameters": { "id": 12345678901234567890, "n": 1.50 } },
    {"type":"${prefix}.twoFactorTrigger","credentials":{"twoFactorApi":{"id":"7"}}},
    { "type": "${prefix}.twoFactorTool" }, { "type": "${prefix}.twoFactorHitlTool" },
    { "type": "n8n-nodes-gatehouse.eventData" },
    { "type": "n8n-nodes-base.set", "notes": "{\\"type\\": \\"${prefix}.twoFactor\\"}" }
  ]
}
`;

it('the move script changes only the types of the nodes of one service, to its package and back', () => {
	const path = writeFile('flow.json', makeWorkflow(PACK));
	expect(runMove('--to', 'n8n-nodes-two-factor', path)).toContain('4 nodes moved');
	const note = JSON.stringify(`{"type": "${PACK}.twoFactor"}`);
	const movedWorkflow = makeWorkflow('n8n-nodes-two-factor').replace(
		/"notes": .* \}$/m,
		() => `"notes": ${note} }`,
	);
	expect(readText('flow.json')).toBe(movedWorkflow);
	runMove('--to', PACK, path);
	expect(readText('flow.json')).toBe(makeWorkflow(PACK));
});

it('the move script accepts several files, changes nothing in a dry run, and changes no file that is not JSON', () => {
	const validFile = writeFile('good.json', makeWorkflow(PACK));
	const invalidFile = writeFile('bad.json', `${makeWorkflow(PACK)}}`);
	expect(runMove('--to', 'n8n-nodes-event-data', '--dry', validFile)).toContain(
		'1 node would move',
	);
	expect(readText('good.json')).toBe(makeWorkflow(PACK));
	const args = [PROGRAM, 'move', '--to', 'n8n-nodes-event-data', invalidFile, validFile];
	const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
	expect(status).toBe(1);
	expect(stderr).toContain('bad.json: ');
	expect(readText('bad.json')).toBe(`${makeWorkflow(PACK)}}`);
	expect(readText('good.json')).toContain('"n8n-nodes-event-data.eventData"');
});

it.each([
	[['--to', 'n8n-nodes-three-factor', 'x.json'], 2, 'There is no package n8n-nodes-three-factor'],
	[['x.json'], 2, 'Usage: npx n8n-nodes-gatehouse move'],
	[['--form', 'x', 'x.json'], 2, "Unknown option '--form'"],
	[['--help'], 0, 'Usage: npx n8n-nodes-gatehouse move'],
])('the move script exits for %j with code %i and the message "%s"', (args, code, expectedText) => {
	const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, 'move', ...args], {
		encoding: 'utf8',
	});
	expect(status).toBe(code);
	expect(`${stdout}${stderr}`).toContain(expectedText);
});
