import { test } from "vitest";
import { startGateway } from "../support/gateway.ts";
import { registerShop, orderOf } from "../support/shop.ts";
const g = await startGateway();
const show = (label: string, x: unknown) => console.log(label, JSON.stringify(x));
test("x", async () => {
  const shop = await registerShop(g);
  show("unknown order", await g.graphql(`mutation($i: CancelCoverOrderInput!){cancelCoverOrder(input:$i){order{id}}}`, { i: { orderId: 999 } }));
  show("wrong vars", await g.graphql(`mutation($input: RegisterCoverOrderInput!){registerCoverOrder(input:$input){order{id}}}`, { input: { customerId: 1.5, amount: true, items: [{quantity: 0, priceId: {}}, {quantity:"x"}], partnerOrderId: 5, network: "FOO", replaceIfExists: "no", memo: 1, paymentDate: "soon", errorCode: [] } }));
  show("inline", await g.graphql(`mutation{registerCoverOrder(input:{customerId: "x", amount: -5, items: [{quantity: 0, priceId: "1"}], partnerOrderId: ""}){order{id}}}`));
  show("clock", await g.graphql(`mutation($d: Duration!){advanceTestClock(input:{by:$d}){now}}`, {d: "soon"}));
  show("clock inline", await g.graphql(`mutation{advanceTestClock(input:{by:"soon"}){now}}`));
  for (const id of ["toString:1","__proto__:1","constructor:1","valueOf:1"]) show("node "+id, await g.graphql(`query($id:ID!){node(id:$id){id}}`, {id: Buffer.from(id).toString("base64url")}));
  for (const c of ["CREATED_AT:-8640000000000000:1","CREATED_AT:8640000000000000:1","CREATED_AT::","CREATED_AT:1:2:3", "CREATED_AT:1.5:1", "CREATED_AT:1:1.0"]) show("cursor "+c, await g.graphql(`query($c:String){coverOrders(first:1, after:$c){nodes{id}}}`, {c: Buffer.from(c).toString("base64url")}));
  show("garbage cursor", await g.graphql(`query($c:String){coverOrders(first:1, after:$c){nodes{id}}}`, {c: "garbage"}));
  show("email nul", await g.graphql(`query($e:String){coverCustomers(filter:{email:$e}){nodes{id}}}`, {e: "a\0b"}));
  const o = await g.post("/cover/order", orderOf(shop));
  const cur = await g.data(`{coverCustomers{pageInfo{endCursor}}}`);
  show("other list's", await g.graphql(`query($c:String){coverOrders(first:1, after:$c){nodes{id}}}`, {c: cur.coverCustomers.pageInfo.endCursor}));
  const s = g.gateway.server;
  for (const accept of ["application/json, text/html", "text/html", "text/html, */*", "*/*, text/html", "application/json, text/html;q=0.1"]) {
    const r = await s.inject({ method: "GET", url: "/graphql", headers: { accept } });
    show("accept "+accept, [r.statusCode, r.headers["content-type"], r.body.slice(0,300)]);
    const r2 = await s.inject({ method: "GET", url: "/graphql?que%72y=%7Bvendor%7Bname%7D%7D", headers: { accept } });
    show("accept "+accept, [r2.statusCode, r2.headers["content-type"], r2.body.slice(0,300)]);
  }
  for (const [m,u,h,p] of [["GET","/graphql?query=mutation%7Bx%7D",{},undefined],["GET","/graphql?query=mutation%7BadvanceTestClock(input:%7Bby:%22P1D%22%7D)%7Bnow%7D%7D",{},undefined],["POST","/graphql",{"content-type":"text/plain"},"{}"],["POST","/graphql",{},undefined],["POST","/graphql",{},"{}"],["POST","/graphql",{"content-type":"application/json"},"[]"],["POST","/graphql",{"content-type":"application/json"},"{}"],["POST","/graphql",{"content-type":"application/json"},"{"],["DELETE","/graphql",{},undefined],["GET","/graphql",{},undefined],["POST","/graphql",{"content-type":"application/json"},JSON.stringify({query:"query A{vendor{name}} query B{vendor{name}}", operationName:"C"})],["POST","/graphql",{"content-type":"application/json"},JSON.stringify({query:"{vendor{name}", variables: "x"})],["POST","/graphql",{"content-type":"application/x-www-form-urlencoded"},"query=%7Bvendor%7Bname%7D%7D"]] as any) {
    const r = await s.inject({ method: m, url: u, headers: { "secret-token": g.vendor.token, ...h }, ...(p !== undefined && {payload: p}) });
    show(`${m} ${u} ${JSON.stringify(h)} ${p}`, [r.statusCode, r.headers.allow, r.body]);
  }
  show("parse", await g.graphql(`{vendor{`));
  show("valid", await g.graphql(`{nothing}`));
});
