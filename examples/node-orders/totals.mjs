// Turns a list of orders into totals for each customer.
import { readFile, writeFile } from "node:fs/promises";

const VAT = { book: 0.07, food: 0.07, other: 0.19 };

function cents(order) {
  return order.lines.reduce((sum, line) => {
    if (!Number.isInteger(line.count) || line.count < 1) {
      throw new RangeError(`order ${order.id}: a count of ${line.count}`);
    }
    const rate = VAT[line.kind] ?? VAT.other;
    return sum + Math.round(line.count * line.cents * (1 + rate));
  }, 0);
}

function totals(orders) {
  const byCustomer = new Map();
  const refused = [];
  for (const order of orders) {
    try {
      const amount = cents(order);
      const before = byCustomer.get(order.customer) ?? { orders: 0, cents: 0, latest: "" };
      byCustomer.set(order.customer, {
        orders: before.orders + 1,
        cents: before.cents + amount,
        latest: before.latest > order.date ? before.latest : order.date,
      });
    } catch (problem) {
      refused.push(problem.message);
    }
  }
  const customers = [...byCustomer]
    .map(([customer, sums]) => ({ customer, ...sums }))
    .sort((a, b) => b.cents - a.cents || a.customer.localeCompare(b.customer));
  return { customers, refused };
}

const orders = JSON.parse(await readFile(process.argv[2], "utf8"));
const result = totals(orders);
await writeFile("totals.json", JSON.stringify(result, null, 2) + "\n");

for (const { customer, orders, cents, latest } of result.customers) {
  const euros = (cents / 100).toFixed(2).padStart(8);
  console.log(`${customer.padEnd(10)} ${euros} EUR in ${orders}, latest ${latest}`);
}
for (const reason of result.refused) {
  console.error(`refused: ${reason}`);
}
