import { VirtualMachine } from './virtualMachine';

/** For cores that wait for nothing but timers and promises: one turn of the queue of promises is enough. */
export class FastMachine extends VirtualMachine {
	protected override async settle(): Promise<void> {
		await new Promise<void>((resolve) => process.nextTick(resolve));
	}
}
